import type { ServerResponse } from 'node:http';
import { type ExportedEntity, exportDocuments, exportedBlueprints, printDocuments } from '@portolan/backstage';
import { exportBackstage } from '@portolan/contract/exports';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { RawAnswer, type Route, route } from '../../../platform/http/route.ts';
import { blueprintProperties, listBlueprintRows } from '../../blueprints/index.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { can } from '../../rights/index.ts';
import { streamSearch } from '../../search/index.ts';

/** Relations are compared over all documents, so all entities are held. */
const entitiesMax = 50_000;
const documentsAtOnce = 200;

export function exportRoutes(deps: ReadDeps): Route[] {
  return [
    route(exportBackstage, async ({ query }, { actor, log }) => {
      const names = await chooseBlueprints(deps, actor, query.blueprints);
      const entities: ExportedEntity[] = [];
      const rules = [{ property: '$blueprint', operator: 'in', value: names }] as const;
      const search = await streamSearch(deps, actor, { combinator: 'and', rules: [...rules] }, {}, false, log);
      for await (const part of search.parts) {
        // programs with an account of their own are no users of Backstage
        const people = (part as unknown as ExportedEntity[]).filter(
          ({ properties }) => properties['port_type'] !== 'Service Account',
        );
        entities.push(...people);
        if (entities.length > entitiesMax) {
          throw new AppError(
            'limit_reached',
            `At most ${entitiesMax} entities are exported at once; name fewer blueprints with \`blueprints\``,
          );
        }
      }
      const { documents, notes } = exportDocuments(entities);
      const mask = <Value>(value: Value): Value => actor.opened?.mask(value) ?? value;
      return new RawAnswer(async (response) => {
        response.writeHead(200, {
          'content-type': 'application/yaml; charset=utf-8',
          'content-disposition': 'attachment; filename="catalog-info.yaml"',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        for (let from = 0; from < documents.length; from += documentsAtOnce) {
          const some = documents.slice(from, from + documentsAtOnce).map(({ document }) => mask(document));
          if (response.destroyed) return;
          await write(response, printDocuments(some));
        }
        const comments = [...notes, 'end'].map((note) => `# ${note.replaceAll(/\s+/g, ' ')}\n`);
        response.end(comments.join(''));
      });
    }),
  ];
}

/** Those that are named, or else those that have documents or stand for a kind of Backstage. @throws AppError `not_found` */
async function chooseBlueprints(
  { database }: ReadDeps,
  actor: Actor,
  named: readonly string[] | undefined,
): Promise<string[]> {
  const all = await listBlueprintRows(database, actor.orgId);
  const readable = all.filter((blueprint) => can(actor, 'read', blueprint));
  const unknown = named?.find((name) => readable.every(({ identifier }) => identifier !== name));
  if (unknown !== undefined) throw notFound('Blueprint', unknown.slice(0, 200));
  const chosen = readable.filter((blueprint) =>
    named
      ? named.includes(blueprint.identifier)
      : exportedBlueprints.includes(blueprint.identifier) || Object.hasOwn(blueprintProperties(blueprint), 'backstage'),
  );
  return chosen.map(({ identifier }) => identifier);
}

/** Writes as fast as the reader takes it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => resolve());
  });
}
