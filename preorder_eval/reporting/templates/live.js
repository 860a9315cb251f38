const frame = document.querySelector("iframe");
// The address keeps what the report's own address says, so that links to a sentence last.
frame.src = "report" + location.hash;
frame.onload = () => {
  const inner = frame.contentWindow;
  document.title = frame.contentDocument.title;
  inner.onhashchange = () => history.replaceState(null, "", inner.location.hash || "./");
  inner.focus();
};
let shown = null;
new EventSource("changes").onmessage = ({ data }) => {
  if (shown !== null && shown !== data) frame.contentWindow.location.reload();
  shown = data;
};
