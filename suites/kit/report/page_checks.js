// What the tests measure inside the page.
window.checks = (() => {
  const FOCUSABLE = "a[href], button, input, select, summary, [tabindex='0']";
  const drawn = (one) => one.checkVisibility();

  const openAll = () => document.querySelectorAll("details").forEach((one) => {
    one.fill?.();
    one.open = true;
  });

  // By how much the page is too wide, and what sticks out of it, except inside what scrolls by itself.
  const stickingOut = () => {
    const width = document.documentElement.clientWidth;
    const out = [...document.body.querySelectorAll("*")].filter((one) =>
      !one.closest(".scroll, pre, nav, .skip, .hidden") && one.getBoundingClientRect().right > width + 0.5);
    return [document.documentElement.scrollWidth - width, out.map((one) => one.outerHTML.slice(0, 120))];
  };

  const channels = (value) => value.match(/[\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((one, i) => one * a + under[i] * (1 - a));
  const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [r, g, b] = colour.map((one) => linear(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };

  const behind = (one) => {
    const layers = [];
    for (; one; one = one.parentElement) layers.push(channels(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };

  const contrast = (one) => {
    const style = getComputedStyle(one), ground = behind(one);
    const ink = over(channels(one.closest("svg") ? style.fill : style.color), ground);
    const [high, low] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };

  const needed = (one) => {
    const style = getComputedStyle(one), size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  };

  // Whether there was something to measure, and the texts whose contrast is below WCAG AA.
  const tooFaint = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) {
      const one = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && drawn(one) && !one.closest("script, style")) texts.push(walker.currentNode);
    }
    const faint = texts.filter(({ parentElement: one }) => contrast(one) < needed(one));
    const shown = faint.map((text) => [contrast(text.parentElement).toFixed(2), text.data.trim().slice(0, 40)]);
    return [texts.length > 30, shown];
  };

  const focusable = () => [...document.querySelectorAll(FOCUSABLE)].filter(drawn);

  // The focused element: its place among all that can be focused, whether it is seen, and whether it is marked.
  const focused = () => {
    const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
    const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0;
    return [focusable().indexOf(one), seen, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
  };

  const tryScript = () => {
    const one = document.createElement("script");
    one.textContent = "document.title = 'owned'";
    document.body.append(one);
    return document.title;
  };

  const links = () => [...document.links].map((one) => one.getAttribute("href"));
  const markup = () => [document.title, document.images.length, document.scripts.length,
    document.querySelectorAll("[onerror]").length];

  return { openAll, stickingOut, tooFaint, focusable, focused, tryScript, links, markup };
})();
