import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { typedOr } from '../../kit/identifier-from.ts';
import { t } from '../../kit/translate.ts';

export interface Key {
  readonly key: string;
  /** Why it cannot be used. */
  readonly problem: string | undefined;
  readonly isUsable: boolean;
  readonly isFixed: boolean;
  type(key: string): void;
}

/** The key of something new, which follows its title until one is typed; a key that is there stays. */
export function useKey(initialKey: string | undefined, title: string, taken: ReadonlySet<string>): Key {
  const [typed, setTyped] = useState<string>();
  const isFixed = initialKey !== undefined;
  const key = initialKey ?? typedOr({ title, identifier: typed });
  const problem = isFixed ? undefined : problemWith(key, taken);
  return { key, problem, isUsable: key !== '' && problem === undefined, isFixed, type: setTyped };
}

function problemWith(key: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(key)) return t('Something of this blueprint has this key already');
  // as the server reads keys (api contract §1.9)
  return /^[A-Za-z0-9@_=\\-]*$/.test(key) ? undefined : t('A key has only letters from A to Z, digits and @ _ = -');
}

export function KeyField({ of: { key, problem, isFixed, type } }: { of: Key }) {
  return (
    <TextInput
      label={t('Key')}
      description={isFixed ? t('Use "Change key" in the list to change it') : t('What the API calls it')}
      required
      withAsterisk={false}
      readOnly={isFixed}
      maxLength={100}
      value={key}
      error={problem}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
