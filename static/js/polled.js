/* Parts of teachers' pages: only an answer with the site's mark enters a page, never the page of a
   filter or a portal on the way. A poll asks again by itself; a link is followed and shows what it got. */
document.addEventListener("htmx:after:request", (event) => {
  const { response, sourceElement, text } = event.detail.ctx;
  if (response.status === 304 || text.includes("<!--nmbrs-->")) return;
  event.preventDefault();
  if (sourceElement.href) location.assign(sourceElement.href);
});
