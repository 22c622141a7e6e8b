/** Extensions of htmx that register themselves on import and export nothing. */
declare module "htmx-ext-sse";
