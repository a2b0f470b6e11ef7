import type { WebhookMapping } from '@portolan/contract';
import { unreadableExpressions, whyUnreadable } from '@portolan/jq';
import { missingParts } from './verify-signature.ts';
import type { WebhookDefinition } from './webhook.ts';

const warningsMax = 20;

/**
 * What a webhook is kept with, but will fail by: expressions that cannot be read, and security that lets nothing in.
 * Infrastructure-as-code writes such, so it is told and not refused.
 */
export function warnOfWebhook({ mappings, security }: WebhookDefinition, hasSecret: boolean): string[] {
  const isWanted = hasSecret || security.signatureAlgorithm || security.signatureHeaderName;
  const lacks = isWanted ? missingParts(security, hasSecret ? 'set' : undefined) : [];
  const problem = whyUnreadable(security.requestIdentifierPath ?? '.');
  return [
    ...(lacks.length > 0 ? [`/security lacks ${lacks.join(' and ')}, so no event is let in`] : []),
    ...(problem === undefined ? [] : [warning('/security/requestIdentifierPath', problem)]),
    ...(mappings ?? []).flatMap(warnOfMapping),
  ].slice(0, warningsMax);
}

function warnOfMapping(mapping: WebhookMapping, index: number): string[] {
  return unreadableExpressions(mapping).map(({ path, message }) =>
    warning(`/mappings/${[index, ...path].join('/')}`, message),
  );
}

function warning(path: string, message: string): string {
  return `${path} cannot be read and will fail: ${message}`;
}
