import { mappingExpressions } from '@portolan/jq';
import { checkStoredJq } from '../../../platform/check-stored-jq.ts';
import { missingParts } from './verify-signature.ts';
import type { WebhookDefinition } from './webhook.ts';

/**
 * Warns of expressions that cannot be parsed and of security that refuses every event. These are warnings, not errors,
 * because infrastructure-as-code saves such webhooks.
 */
export function warnOfWebhook({ mappings, security }: WebhookDefinition, hasSecret: boolean): string[] {
  const isWanted = hasSecret || security.signatureAlgorithm || security.signatureHeaderName;
  const lacks = isWanted ? missingParts(security, hasSecret ? 'set' : undefined) : [];
  const use = 'mapping' as const;
  const identifierPath = security.requestIdentifierPath ?? '.';
  const stored = (mappings ?? []).flatMap((mapping, index) =>
    mappingExpressions(mapping).map(({ path, expression }) => ({
      use,
      path: ['/mappings', index, ...path].join('/'),
      expression,
    })),
  );
  const { warnings } = checkStoredJq([
    { use, path: '/security/requestIdentifierPath', expression: identifierPath },
    ...stored,
  ]);
  return [...(lacks.length > 0 ? [`/security lacks ${lacks.join(' and ')}, so no event is let in`] : []), ...warnings];
}
