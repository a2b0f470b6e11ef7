import { type MappedResource, mappingsOfResource, unreadableExpressions } from '@portolan/jq';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/errors.ts';
import { pointer, toIssues } from '../../../platform/http/issues.ts';

const jq = z.string().max(20_000);
const entity = z.looseObject({ identifier: z.unknown(), blueprint: jq });
const resource = z.looseObject({
  kind: z.string().min(1).max(200),
  selector: z.looseObject({ query: jq.nullish() }).nullish(),
  port: z.looseObject({
    itemsToParse: jq.nullish(),
    entity: z.looseObject({ mappings: z.union([entity, z.array(entity).max(20)]) }),
  }),
});
const resources = z.array(resource).max(100);

/** Resources have the form of an integration's, and every expression can be read. @throws AppError `invalid_request` */
export function checkMapping(mapping: readonly unknown[]): void {
  const parsed = resources.safeParse(mapping);
  if (!parsed.success) throw invalidRequest(toIssues(parsed.error, mapping, '/mapping/resources'), 'The mapping');
  const issues = parsed.data.flatMap((each, index) =>
    mappingsOfResource(each as MappedResource).flatMap(({ mapping: one, placeOf }) =>
      unreadableExpressions(one).map(({ path, message }) => ({
        path: pointer(['mapping', 'resources', String(index), ...placeOf(path).map(String)]),
        message,
      })),
    ),
  );
  if (issues.length > 0) throw invalidRequest(issues, 'The mapping');
}
