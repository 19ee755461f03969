// Requests to the server that served this page. Errors carry the server's words and its status.

const HEADERS = { "content-type": "application/json", "x-structce": "annotate" };

export class ServerError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status; // 0 where the server was not reached
  }
}

const answerOf = async (request) => {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new ServerError("no connection to the server", 0);
  }
  let value = {};
  try {
    value = await answer.json();
  } catch {
    throw new ServerError("the server's answer broke off", 0);
  }
  if (!answer.ok) throw new ServerError(value.error || answer.statusText, answer.status);
  return value;
};

export const get = (path) => answerOf(fetch(path, { headers: HEADERS }));

export const post = (path, body) =>
  answerOf(fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(body) }));

export const pagePath = (id, rest = "") => `/api/pages/${encodeURIComponent(id)}${rest}`;

export const randomKey = () => crypto.getRandomValues(new Uint32Array(3)).join("-");
