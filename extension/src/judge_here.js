// Firefox: the background is a page, which may start the model's worker itself.

import { ModelHost } from "./model_host.js";

const host = new ModelHost();

/** Return the probability of each leaf that it is main content. */
export const judge = (page) => host.judge(page);
