import { t } from '../../kit/translate.ts';
import { blueprint, field, type NodeField, onFailure } from './node-field.ts';

/** The fields of steps that read, start or wait for something of this organization. */
export function stepFields(type: string): readonly NodeField[] {
  switch (type) {
    case 'FETCH':
      return [
        blueprint(t('Blueprint that is read')),
        field('query', 'json', t('Query'), {
          description: t('Rules as in a search; values may be templates. Without it all entities are read'),
        }),
        field('include', 'json', t('Keys that are kept'), { description: t('A list; without it all are kept') }),
        field('limit', 'number', t('At most'), { description: t('100 without a number; 1000 at most') }),
        field('single', 'switch', t('One entity is expected'), {
          standard: false,
          description: t('None gives nothing, and several fail the step'),
        }),
        onFailure,
      ];
    case 'RUN_ACTION':
      return [
        field('actionIdentifier', 'action', t('Action')),
        field('entityIdentifier', 'text', t('Entity it acts on'), {
          description: t('Its identifier, often a template; only for actions on an entity'),
        }),
        field('properties', 'json', t('Inputs'), { description: t('A value for each input; texts may be templates') }),
        field('timeoutSeconds', 'number', t('Seconds until it must have ended'), {
          description: t('30 days without a number; the wait for an approval counts'),
        }),
        onFailure,
      ];
    case 'WAIT_FOR_EVENT':
      return [
        field('timeoutSeconds', 'number', t('Seconds that it waits')),
        field('onTimeout', 'choice', t('If it does not come'), {
          standard: 'fail',
          choices: [
            { value: 'fail', label: t('The step fails') },
            { value: 'continue', label: t('The run goes on') },
          ],
        }),
        field('since', 'choice', t('What counts'), {
          standard: '',
          choices: [
            { value: '', label: t('What happens from then on') },
            { value: 'run-start', label: t('What happened since the run began, too') },
          ],
        }),
        onFailure,
      ];
    case 'NOTIFY':
      return [
        field('target', 'choice', t('By'), {
          standard: 'email',
          choices: [
            { value: 'portal', label: t('Notice in the portal') },
            { value: 'email', label: t('E-mail') },
            { value: 'slack', label: t('Slack') },
            { value: 'webhook', label: t('Webhook') },
          ],
        }),
        field('to', 'text', t('To'), {
          description: t(
            'In the portal and by mail users and teams, with commas; else an address, often {{ .secrets.NAME }}',
          ),
        }),
        field('subject', 'text', t('Subject')),
        field('body', 'lines', t('Text'), { description: t('Encrypted inputs and secrets are never part of it') }),
        field('link', 'text', t('Link'), {
          description: t('Of a notice: where it leads, https:// or a path of the portal; to its run by default'),
        }),
        onFailure,
      ];
    case 'WEBHOOK_TRIGGER':
      return [
        field('secretName', 'secret', t('Secret'), {
          description: t('A secret of the organization that the caller proves to know'),
        }),
        field('signature', 'choice', t('How the caller proves it'), {
          standard: 'sha256-hmac',
          choices: [
            { value: 'sha256-hmac', label: t('A signature of the body (HMAC SHA-256)') },
            { value: 'github', label: t('As GitHub signs') },
            { value: 'bearer', label: t('The secret as a bearer token') },
          ],
        }),
        field('signatureHeader', 'text', t('Header of the signature'), { placeholder: 'X-Signature-256' }),
        field('deliveryHeader', 'text', t('Header that names a delivery'), {
          placeholder: 'X-Delivery-Id',
          description: t('The same delivery starts one run'),
        }),
        field('mapping', 'json', t('What the run gets'), {
          description: t(
            'A jq expression for each name, over .body, .headers and .queryParams; all of them without it',
          ),
        }),
      ];
    default:
      return [];
  }
}
