import { TextInput } from '@mantine/core';
import { identifierFrom } from '../kit/identifier-from.ts';
import { type Issue, issueAt } from '../kit/refusal.ts';
import { t } from '../kit/translate.ts';

export interface Naming {
  readonly identifier: string;
  readonly title?: string;
}

/** Title and identifier of something that may be new; then the identifier follows the title until it is typed. */
export function NamingFields({
  title,
  identifier,
  isNew,
  hint,
  most = 100,
  issues,
  onChange,
}: {
  title: string | null | undefined;
  identifier: string;
  isNew: boolean;
  /** An example of a good title. */
  hint?: string;
  /** How long the identifier may be. */
  most?: number;
  issues: readonly Issue[];
  onChange: (changed: Partial<Naming>) => void;
}) {
  const follows = isNew && identifier === identifierFrom(title ?? '', most);
  return (
    <>
      <TextInput
        label={t('Title')}
        description={hint}
        data-first-field
        value={title ?? ''}
        error={issueAt(issues, 'title')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ title: value, ...(follows ? { identifier: identifierFrom(value, most) } : {}) })
        }
      />
      <TextInput
        label={t('Identifier')}
        description={isNew ? t('What the API and Terraform call it') : t('Another one renames it')}
        required
        withAsterisk={false}
        maxLength={most}
        value={identifier}
        error={issueAt(issues, 'identifier')}
        onChange={({ currentTarget }) => onChange({ identifier: currentTarget.value.trim() })}
      />
    </>
  );
}
