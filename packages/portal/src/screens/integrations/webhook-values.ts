import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type Webhook = AnswerOf<'getWebhook'>['integration'];

/** A webhook in the shape of its form; its mappings are edited separately. */
export interface WebhookValues {
  readonly title: string;
  readonly identifier: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly secret: string;
  readonly signatureHeaderName: string;
  readonly signatureAlgorithm: string;
  readonly signaturePrefix: string;
  readonly requestIdentifierPath: string;
}

export const emptyWebhook: WebhookValues = {
  title: '',
  identifier: '',
  description: '',
  enabled: true,
  secret: '',
  signatureHeaderName: '',
  signatureAlgorithm: '',
  signaturePrefix: '',
  requestIdentifierPath: '',
};

/** Security settings for well-known senders. */
export const securityPresets: readonly { readonly label: string; readonly values: Partial<WebhookValues> }[] = [
  {
    label: 'GitHub',
    values: {
      signatureHeaderName: 'X-Hub-Signature-256',
      signatureAlgorithm: 'sha256',
      signaturePrefix: 'sha256=',
      requestIdentifierPath: '.headers."x-github-delivery"',
    },
  },
  {
    label: 'GitLab',
    values: {
      signatureHeaderName: 'X-Gitlab-Token',
      signatureAlgorithm: 'plain',
      signaturePrefix: '',
      requestIdentifierPath: '.headers."x-gitlab-event-uuid"',
    },
  },
];

export function toWebhookValues({ title, identifier, description, enabled, security }: Webhook): WebhookValues {
  const text = (key: string) => (typeof security[key] === 'string' ? security[key] : '');
  return {
    title,
    identifier,
    description: description ?? '',
    enabled,
    secret: text('secret'),
    signatureHeaderName: text('signatureHeaderName'),
    signatureAlgorithm: text('signatureAlgorithm'),
    signaturePrefix: text('signaturePrefix'),
    requestIdentifierPath: text('requestIdentifierPath'),
  };
}

/** The body to write. Security is replaced as a whole, without empty fields. */
export function toWebhookBody(values: WebhookValues) {
  const { title, identifier, description, enabled, ...security } = values;
  const written = Object.entries(security).filter(([, value]) => value !== '');
  return {
    title: title.trim(),
    ...(identifier === '' ? {} : { identifier }),
    description: description.trim() === '' ? null : description,
    enabled,
    security: Object.fromEntries(written),
  };
}

const signature = ['secret', 'signatureHeaderName', 'signatureAlgorithm'] as const;
const words = { secret: 'a secret', signatureHeaderName: 'a header', signatureAlgorithm: t('a way to check') };

/** What is missing from an incomplete signature check, which would refuse every event. */
export function missingSecurity(values: WebhookValues): string | undefined {
  const missing = signature.filter((key) => values[key] === '');
  if (missing.length === 0) return undefined;
  if (missing.length === signature.length && values.signaturePrefix === '') return undefined;
  return t('Nothing is let in without {missing}.', { missing: missing.map((key) => words[key]).join(' and ') });
}
