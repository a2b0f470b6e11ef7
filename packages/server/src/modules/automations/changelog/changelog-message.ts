import type { Message } from '../../../platform/messages/message-broker.ts';
import { signatureHeaders } from '../../actions/index.ts';
import { presentRecord, type StoredRecord, type TeamNames } from '../../journal/index.ts';

export interface MessageFacts {
  readonly orgId: string;
  readonly names: TeamNames;
  readonly publicUrl: string;
  readonly clientSecret: string | undefined;
  readonly now: Date;
}

/**
 * The body is the record as the audit log shows it; headers make it a binary-mode CloudEvent and sign it, so receivers
 * that know neither read the same body (api contract §3.5.6).
 */
export function changelogMessage(record: StoredRecord, { orgId, names, publicUrl, clientSecret, now }: MessageFacts) {
  const body = JSON.stringify(presentRecord(record, { orgId, names }));
  const { subject, ...attributes } = toAttributes(record, orgId, publicUrl);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'portolan',
    'idempotency-key': record.id,
    ...prefixed('ce-', attributes),
    // headers are ASCII; CloudEvents escapes the rest
    'ce-subject': encodeURIComponent(subject),
    ...(clientSecret === undefined ? {} : signatureHeaders(body, clientSecret, now)),
  };
  return { headers, body };
}

/**
 * Same body and attributes for the organization's topic (CloudEvents Kafka binding). Events of one thing share a key
 * and so stay in order. If an agent makes the call, the body contains its address.
 */
export function brokerMessage(
  record: StoredRecord,
  { orgId, names, publicUrl }: Pick<MessageFacts, 'orgId' | 'names' | 'publicUrl'>,
  agentDestination?: unknown,
): Message {
  const shown = presentRecord(record, { orgId, names });
  const { blueprint = '' } = record.context;
  return {
    topic: changelogTopic(orgId),
    key: [record.resourceType, blueprint, record.identifier].join('/'),
    value: JSON.stringify(agentDestination ? { ...shown, changelogDestination: agentDestination } : shown),
    headers: {
      'content-type': 'application/json',
      ...prefixed('ce_', toAttributes(record, orgId, publicUrl)),
    },
  };
}

/** Topic of the organization (catalog semantics §4.6). */
export function changelogTopic(orgId: string): string {
  return `${orgId}.change.log`;
}

/** The id is the record's, so that duplicates are detectable. */
function toAttributes(record: StoredRecord, orgId: string, publicUrl: string) {
  return {
    specversion: '1.0',
    id: record.id,
    source: `${publicUrl.replace(/\/+$/, '')}/organizations/${orgId}`,
    type: `portolan.${record.event}`,
    time: record.at.toISOString(),
    subject: record.identifier,
  };
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
}
