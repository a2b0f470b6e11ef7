import type { WebhookMapping } from '@portolan/contract';
import { JqError, parse, replaceSingleQuotes } from '@portolan/jq';
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
  return [
    ...(lacks.length > 0 ? [`/security lacks ${lacks.join(' and ')}, so no event is let in`] : []),
    ...unreadable(security.requestIdentifierPath, '/security/requestIdentifierPath'),
    ...(mappings ?? []).flatMap(warnOfMapping),
  ].slice(0, warningsMax);
}

function warnOfMapping({ filter, itemsToParse, entity }: WebhookMapping, index: number): string[] {
  const at = `/mappings/${index}`;
  const { properties, relations, ...single } = entity;
  return [
    ...unreadable(filter, `${at}/filter`),
    ...unreadable(itemsToParse, `${at}/itemsToParse`),
    ...Object.entries(single).flatMap(([key, value]) => unreadable(value, `${at}/entity/${key}`)),
    ...Object.entries({ ...properties, ...relations }).flatMap(([key, value]) =>
      unreadable(value, `${at}/entity/${key}`),
    ),
  ];
}

function unreadable(expression: unknown, path: string): string[] {
  if (typeof expression !== 'string') return [];
  try {
    parse(replaceSingleQuotes(expression));
    return [];
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    return [`${path} cannot be read and will fail: ${error.message}`];
  }
}
