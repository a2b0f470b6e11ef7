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
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'portolan',
    'idempotency-key': record.id,
    'ce-specversion': '1.0',
    'ce-id': record.id,
    'ce-source': `${publicUrl.replace(/\/+$/, '')}/organizations/${orgId}`,
    'ce-type': `portolan.${record.event}`,
    'ce-time': record.at.toISOString(),
    // headers hold ASCII only; CloudEvents escapes the rest so
    'ce-subject': encodeURIComponent(record.identifier),
    ...(clientSecret === undefined ? {} : signatureHeaders(body, clientSecret, now)),
  };
  return { headers, body };
}
