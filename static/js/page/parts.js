/* What the parts of the page share. */
export const $ = (id) => document.getElementById(id);
export const on = (name, act) => document.addEventListener(name, act);
export const all = (selector) => [...document.querySelectorAll(selector)];
export const words = $("network").dataset;

export function setOpen(dialog, isOpen) {
  if (!dialog.showModal) dialog.toggleAttribute("open", isOpen);
  else if (isOpen) dialog.showModal();
  else dialog.close();
}
