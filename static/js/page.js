/* The script of every page for children. The built site serves it as one file, because each file
   costs a slow school a request. Every form also works without it. */
import "./page/old-browsers.js";
import "./page/network.js";
import "./page/idle.js";
import "./page/pause.js";
import "./page/together.js";
import "./page/keys.js";
import "./page/voice.js";
