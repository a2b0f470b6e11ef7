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
    case 'NOTIFY':
      return [
        field('target', 'choice', t('By'), {
          standard: 'email',
          choices: [
            { value: 'email', label: t('E-mail') },
            { value: 'slack', label: t('Slack') },
            { value: 'webhook', label: t('Webhook') },
          ],
        }),
        field('to', 'text', t('To'), {
          description: t('By mail users and teams, with commas; else an address, often {{ .secrets.NAME }}'),
        }),
        field('subject', 'text', t('Subject')),
        field('body', 'lines', t('Text'), { description: t('Encrypted inputs and secrets are never part of it') }),
        onFailure,
      ];
    default:
      return [];
  }
}
