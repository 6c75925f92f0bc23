/* What the parts of page.js share. */
import { $ } from "./dom.js";

export const words = $("network").dataset;

export function setOpen(dialog, isOpen) {
  if (!dialog.showModal) dialog.toggleAttribute("open", isOpen);
  else if (isOpen) dialog.showModal();
  else dialog.close();
}
