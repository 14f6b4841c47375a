// On the sign-in page no copy is anybody's; a conversation that is not there any more has none.
import { forget, forgetAll } from "./copies.js";

const { status } = document.body.dataset;
const conversation = /\/c\/([^/]+)$/.exec(location.pathname);
if (!status) await forgetAll();
else if (status === "404" && conversation) await forget([decodeURIComponent(conversation[1])]);
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
