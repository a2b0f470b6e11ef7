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
 * A record as it is sent: the body is the record as the audit log shows it, the headers make it a CloudEvent in binary
 * mode, so that receivers which know neither read the same body, and prove who sent it (api contract §3.5.6).
 */
export function changelogMessage(record: StoredRecord, { orgId, names, publicUrl, clientSecret, now }: MessageFacts) {
  const body = JSON.stringify(presentRecord(record, { orgId, names }));
  const { subject, ...attributes } = attributesOf(record, orgId, publicUrl);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'portolan',
    'idempotency-key': record.id,
    ...prefixed('ce-', attributes),
    // headers hold ASCII only; CloudEvents escapes the rest so
    'ce-subject': encodeURIComponent(subject),
    ...(clientSecret === undefined ? {} : signatureHeaders(body, clientSecret, now)),
  };
  return { headers, body };
}

/**
 * The same body and attributes on the topic of the organization's changes (CloudEvents' binding for Kafka). What happens to
 * one thing has one key, and so stays in order. Where an agent is to make the call, the body says where to.
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
      ...prefixed('ce_', attributesOf(record, orgId, publicUrl)),
    },
  };
}

/** Where the broker has the changes of an organization (catalog semantics §4.6). */
export function changelogTopic(orgId: string): string {
  return `${orgId}.change.log`;
}

/** What a CloudEvent says of itself; its id is the record's, so that one that comes twice is known. */
function attributesOf(record: StoredRecord, orgId: string, publicUrl: string) {
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
