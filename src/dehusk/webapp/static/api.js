// Requests to the server. Every error becomes an `ApiError` with a message and a remedy.

let onVersion = () => {};

class ApiError extends Error {
  constructor(code, message, remedy) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Call a listener with the workspace version of each response. */
export function watchVersions(listener) {
  onVersion = listener;
}

export const get = (path, query, signal) => send("GET", path + queryOf(query), undefined, signal);
export const post = (path, body = {}) => send("POST", path, body);
export const put = (path, body) => send("PUT", path, body);
export const patch = (path, body) => send("PATCH", path, body);
export const remove = (path) => send("DELETE", path);

/** A query string such as "?a=1&b=2"; null and undefined are left out. */
export function queryOf(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/** Send a request; a body is a form, a file, or a value that becomes JSON. */
export async function send(method, path, body, signal) {
  const options = { method, signal, headers: {} };
  if (body instanceof FormData || body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  const response = await fetchOrFail(path, options);
  const version = Number(response.headers.get("X-Dehusk-Version"));
  if (version) onVersion(version);
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

/** A file and its name. */
export async function fetchFile(path) {
  const response = await fetchOrFail(path, {});
  if (!response.ok) throw await errorOf(response);
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? "dehusk";
  return { blob: await response.blob(), name };
}

async function fetchOrFail(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("offline", "the server does not answer", "Check that dehusk serve is still running.");
  }
}

async function errorOf(response) {
  try {
    const { code, message, remedy } = (await response.json()).error;
    return new ApiError(code, message, remedy);
  } catch {
    return new ApiError("fault", `the server returned status ${response.status}`, "Reload the page.");
  }
}
