import { t } from '../../kit/translate.ts';

/** A field of a node's configuration that one control edits, and its place. */
export interface NodeField {
  readonly path: readonly string[];
  readonly kind:
    | 'text'
    | 'lines'
    | 'json'
    | 'jq'
    | 'switch'
    | 'choice'
    | 'blueprint'
    | 'number'
    | 'agent'
    | 'action'
    | 'workflow'
    | 'secret';
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** What holds where nothing is written. */
  readonly standard?: string | boolean;
}

export const field = (
  path: string,
  kind: NodeField['kind'],
  label: string,
  more: Partial<NodeField> = {},
): NodeField => ({
  path: path.split('.'),
  kind,
  label,
  ...more,
});

export const onFailure = field('onFailure', 'choice', t('If it fails'), {
  standard: 'terminate',
  choices: [
    { value: 'terminate', label: t('The run fails') },
    { value: 'continue', label: t('The run goes on') },
  ],
});

export const blueprint = (label: string) => field('blueprintIdentifier', 'blueprint', label);
