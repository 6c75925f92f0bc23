/* What all scripts share. */
export const $ = (id) => document.getElementById(id);
export const on = (name, act) => document.addEventListener(name, act);
export const all = (selector) => [...document.querySelectorAll(selector)];
