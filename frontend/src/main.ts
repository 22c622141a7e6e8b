import htmx from "htmx.org";
import "htmx-ext-sse";
import "idiomorph/htmx";

// Nothing the server sends is to be run as code: no inline handlers, no eval in attributes.
htmx.config.allowEval = false;
htmx.config.allowScriptTags = false;
// The stylesheet of the table already has the indicator's rules.
htmx.config.includeIndicatorStyles = false;
