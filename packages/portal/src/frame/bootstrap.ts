import type { BootstrapPart } from '@portolan/contract/portal';
import type { QueryClient } from '@tanstack/react-query';
import { takeFirst } from '../api/first-answers.ts';

/** After this long the screen reads for itself. */
const withinMs = 6_000;

/** Fills the cache with the first answers, once; what is not among them is read by its own operation. */
export async function takeBootstrap(queries: QueryClient): Promise<void> {
  const asked = takeFirst('parts');
  if (!asked) return;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, withinMs));
  try {
    const answer = await Promise.race([asked, late]);
    if (!answer?.ok) return;
    const { parts } = (await answer.json()) as { parts: readonly BootstrapPart[] };
    for (const part of parts) keep(queries, part);
  } catch {
    // the screen reads for itself, and says what is wrong
  }
}

function keep(queries: QueryClient, { operation, input, answer, etag }: BootstrapPart): void {
  // with and without an empty input, as screens write both
  const isBare = Object.keys(input).length === 0;
  if (isBare) queries.setQueryData([operation], answer);
  queries.setQueryData([operation, input], answer);
  if (operation !== 'getEntity') return;
  const { entity } = answer as { entity: unknown };
  const version = etag?.replaceAll(/^(W\/)?"|"$/g, '');
  const named: Readonly<Record<string, unknown>> = input.params ?? {};
  queries.setQueryData(['getEntity', 'versioned', named['blueprint_identifier'], named['entity_identifier']], {
    entity,
    version,
  });
}
