import { register } from 'node:module';

/**
 * Tests run with the export condition `source`, under which `eventsource` and `eventsource-parser`, used by both clients,
 * offer TypeScript that Node does not load. They are resolved without it; hence the imports that are not at the top.
 */
register(
  `data:text/javascript,${encodeURIComponent(`
    export const resolve = (specifier, context, next) =>
      next(specifier, specifier.startsWith('eventsource')
        ? { ...context, conditions: context.conditions.filter((condition) => condition !== 'portolan-source') }
        : context);
  `)}`,
);

/** The client of the generation that begins at 2026-07-28 and still speaks the older revisions. */
export const modern = await import('@modelcontextprotocol/client');

/** The client of the revisions that begin with `initialize`. */
export const legacy = {
  ...(await import('@modelcontextprotocol/sdk/client/index.js')),
  ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
};
