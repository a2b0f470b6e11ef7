import { blueprintSearchQuery } from '@portolan/contract/search-query';
import { toIssues } from '../../../../platform/http/issues.ts';
import { noticeLinkRule, readNoticeLink } from '../notice-link.ts';
import type { WorkflowNode } from '../workflow.ts';
import type { Fault, Placed } from './fault.ts';
import { fault } from './graph-rules.ts';

/** Faults of the steps that read, start or wait for something of this organization. */
export function checkStep({ at, part: { config } }: Placed<Pick<WorkflowNode, 'config'>>): Fault[] {
  const place = `${at}/config`;
  switch (config.type) {
    case 'FETCH':
      return checkQuery(config['query'], `${place}/query`);
    case 'NOTIFY':
      return [...checkTarget(config, `${place}/to`), ...checkLink(config['link'], `${place}/link`)];
    case 'WEBHOOK_TRIGGER':
      return checkSecret(config['secretName'], `${place}/secretName`);
    default:
      return [];
  }
}

/** A query without templates is checked whole; what templates make of another is known to a run alone. */
function checkQuery(query: unknown, place: string): Fault[] {
  if (query === undefined || query === null || JSON.stringify(query).includes('{{')) return [];
  const parsed = blueprintSearchQuery.safeParse(query);
  if (parsed.success) return [];
  return toIssues(parsed.error, query).map(({ path, message }) => fault(`${place}${path}`, 'query_invalid', message));
}

/** A message goes to one address; only mail goes to several. */
function checkTarget({ target, to }: WorkflowNode['config'], place: string): Fault[] {
  if (target !== 'slack' && target !== 'webhook') return [];
  if (Array.isArray(to)) return [fault(place, 'address_needed', `must be one address: a message by ${target} has one`)];
  if (typeof to !== 'string' || to.includes('{{') || /^https?:\/\//.test(to)) return [];
  return [fault(place, 'address_needed', 'must be an address that begins with https://')];
}

/** What templates make of a link is known to a run alone. */
function checkLink(link: unknown, place: string): Fault[] {
  if (typeof link !== 'string' || link === '' || link.includes('{{') || readNoticeLink(link) !== undefined) return [];
  return [fault(place, 'address_needed', noticeLinkRule)];
}

/** Whoever may start a workflow reads its steps, so a secret stands there by its name. */
function checkSecret(secret: unknown, place: string): Fault[] {
  if (typeof secret !== 'string' || /^[A-Za-z0-9_-]{1,100}$/.test(secret)) return [];
  return [
    fault(place, 'secret_in_words', 'must be the name of a secret of the organization, and not the secret itself'),
  ];
}
