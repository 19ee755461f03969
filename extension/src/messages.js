// Messages between the parts of the extension: popup, background, model and page.

/** Send a message to a part of the extension; return its answer, or throw its error. */
export async function ask(to, type, values = {}) {
  return valueOf(await chrome.runtime.sendMessage({ to, type, ...values }));
}

/** Send a message to the page of a tab; return its answer, or throw its error. */
export async function askPage(tab, type, values = {}) {
  const message = { to: "page", type, ...values };
  return valueOf(await chrome.tabs.sendMessage(tab, message, { frameId: 0 }));
}

/** Answer messages to a part by functions, by type; only pages of the extension are answered. */
export function answer(to, functions) {
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (message.to !== to || !isOurs(sender)) return false;
    Promise.resolve()
      .then(() => functions[message.type](message))
      .then((value) => respond({ value }), (error) => respond({ error: error.message }));
    return true;
  });
}

function isOurs(sender) {
  return sender.id === chrome.runtime.id && (sender.url ?? "").startsWith(chrome.runtime.getURL(""));
}

function valueOf(response) {
  if (!response) throw new Error("no answer");
  if (response.error !== undefined) throw new Error(response.error);
  return response.value;
}
