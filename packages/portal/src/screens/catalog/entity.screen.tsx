import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { open } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { personHere, useSession } from '../../api/session.ts';
import { rememberEntity } from '../../frame/recent.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { useOwnRights } from '../../parts/access/permit.ts';
import { EntityBody } from './entity-body.tsx';
import type { ReadEntity } from './entity-screen.types.ts';
import { Gone } from './gone.tsx';
import { useEntityActions } from './header-actions.tsx';
import { entityPage } from './use-layout.ts';

const PastEntity = lazy(async () => ({ default: (await import('./past-entity.tsx')).PastEntity }));

async function readEntity(blueprint: string, identifier: string, signal: AbortSignal): Promise<ReadEntity> {
  const answer = await open('getEntity', {
    params: { blueprint_identifier: blueprint, entity_identifier: identifier },
    signal,
  });
  const { entity } = (await answer.json()) as { entity: ReadEntity['entity'] };
  return { entity, version: answer.headers.get('etag')?.replaceAll(/^(W\/)?"|"$/g, '') };
}

export function Screen() {
  const blueprint = useParam('blueprint');
  const identifier = useParam('entity');
  const [asOf, setAsOf] = useUrlState('/e/$blueprint/$entity', 'as_of');
  if (asOf === undefined) return <Present blueprint={blueprint} identifier={identifier} />;
  return (
    <Suspense fallback={<TextSkeleton />}>
      <PastEntity
        blueprint={blueprint}
        identifier={identifier}
        at={asOf}
        onGo={(at) => setAsOf(at, { isStep: true })}
      />
    </Suspense>
  );
}

function Present({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const read = useQuery({
    queryKey: ['getEntity', 'versioned', blueprint, identifier],
    queryFn: ({ signal }) => readEntity(blueprint, identifier, signal),
    refetchInterval: 60_000,
  });
  // read beside the entity, not after it
  useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  useOwnRights(blueprint, identifier);
  useRead('listScorecards', { params: { blueprint_identifier: blueprint } });
  useEntityActions(blueprint);
  useRead('getPage', { params: { page_identifier: entityPage(blueprint) } });
  const title = read.data?.entity.title;
  useRemembered(blueprint, identifier, read.data ? (title ?? identifier) : undefined);
  if (read.error && read.data === undefined) {
    return (
      <Gone blueprint={blueprint} identifier={identifier} error={read.error}>
        <Reading of={read} isScreen>
          {() => null}
        </Reading>
      </Gone>
    );
  }
  return (
    <Reading of={read} isScreen>
      {(data) => <EntityBody key={`${blueprint} ${identifier}`} blueprint={blueprint} read={data} error={read.error} />}
    </Reading>
  );
}

/** Adds the entity to the recent ones. */
function useRemembered(blueprint: string, identifier: string, title: string | undefined): void {
  const session = useSession();
  const person = personHere(session);
  useEffect(() => {
    if (title !== undefined) rememberEntity(person, { blueprint, identifier, title });
  }, [person, blueprint, identifier, title]);
}
