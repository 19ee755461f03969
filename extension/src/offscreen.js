// Offscreen document of Chromium: answers for the model, and closes itself when nobody asks.

import { answer } from "./messages.js";
import { ModelHost } from "./model_host.js";

const host = new ModelHost(() => window.close());

answer("model", { judge: ({ page }) => host.judge(page) });
