// Asking the server. Every error becomes one `Trouble` with a message and a remedy.

let onVersion = () => {};

export class Trouble extends Error {
  constructor(code, message, remedy) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Be told the version of the workspace that each answer is of. */
export function watchVersions(listener) {
  onVersion = listener;
}

export const get = (path, query, signal) => ask("GET", path + queryOf(query), undefined, signal);
export const post = (path, body = {}) => ask("POST", path, body);
export const put = (path, body) => ask("PUT", path, body);
export const patch = (path, body) => ask("PATCH", path, body);
export const remove = (path) => ask("DELETE", path);

/** "?a=1&b=2" of what is neither null nor undefined. */
export function queryOf(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

async function ask(method, path, body, signal) {
  const options = { method, signal, headers: {} };
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  const answer = await reach(path, options);
  const version = Number(answer.headers.get("X-Dehusk-Version"));
  if (version) onVersion(version);
  if (!answer.ok) throw await troubleOf(answer);
  return answer.json();
}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Trouble("offline", "the server does not answer", "See whether dehusk serve is still running.");
  }
}

async function troubleOf(answer) {
  try {
    const { code, message, remedy } = (await answer.json()).error;
    return new Trouble(code, message, remedy);
  } catch {
    return new Trouble("fault", `the server answered with status ${answer.status}`, "Load the page again.");
  }
}
