/* Adds what the oldest browsers lack (iPadOS 14), before any other file uses it. */
function add({ prototype }, name, own) {
  prototype[name] ||= own;
}
add(Array, "at", function (i) {
  return this[i < 0 ? this.length + i : i];
});
add(Element, "checkVisibility", function () {
  return this.getClientRects().length > 0;
});
add(HTMLFormElement, "requestSubmit", function ({ name = "", value = "" } = {}) {
  const twin = Object.assign(document.createElement("button"), { name, value });
  this.append(twin);
  twin.click();
  twin.remove();
});
