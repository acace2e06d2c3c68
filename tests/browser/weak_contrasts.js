// Texts whose contrast with their background is below 4.5 to 1.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  function painted(colours) {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }

  function luminance(colour) {
    const linear = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }

  function groundsOf(node) {
    const found = [];
    for (let each = node; each; each = each.parentElement) found.unshift(getComputedStyle(each).backgroundColor);
    return found;
  }

  function contrastOf(node) {
    const grounds = groundsOf(node);
    const pair = [luminance(painted(grounds)), luminance(painted([...grounds, getComputedStyle(node).color]))];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  }

  const saysSomething = (node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
  const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isExempt = (node) => node.closest(":disabled, [aria-disabled=true], .visually-hidden, option");
  return [...document.querySelectorAll("body *")]
    .filter((node) => saysSomething(node) && isSeen(node) && !isExempt(node))
    .map((node) => [contrastOf(node), node])
    .filter(([contrast]) => contrast < 4.5)
    .map(([contrast, node]) => `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}: ${contrast.toFixed(2)}`);
};
