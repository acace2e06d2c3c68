// Before a page's own scripts: answers and changes of view come up to MOST milliseconds late, so that tests which do not wait fail.
(() => {
  const later = () => new Promise((settle) => setTimeout(settle, Math.random() * MOST));
  const { fetch, addEventListener } = window;
  window.fetch = async (...request) => {
    await later();
    const response = await fetch(...request);
    await later();
    return response;
  };
  window.addEventListener = (name, listener, ...options) =>
    addEventListener.call(window, name, name === "hashchange" ? (event) => setTimeout(() => listener(event), MOST) : listener, ...options);
})();
