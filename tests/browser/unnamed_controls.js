// Controls that have no name for those who listen.
() =>
  [...document.querySelectorAll("button, a[href], input, select, textarea, iframe")]
    .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
    .filter((node) => !(node.getAttribute("aria-label") || node.title || node.textContent.trim() || node.labels?.length))
    .map((node) => node.outerHTML.slice(0, 120));
