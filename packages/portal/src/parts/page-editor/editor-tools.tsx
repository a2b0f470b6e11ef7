import { Button } from '@mantine/core';
import { Braces, Plus, Settings2, ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../kit/translate.ts';

const parts = [
  { part: 'page', label: t('Page settings'), icon: Settings2 },
  { part: 'rights', label: t('Permissions'), icon: ShieldCheck },
  { part: 'json', label: 'JSON', icon: Braces },
] as const;

/** The tools of the editor, where "Edit page" was. */
export function EditorTools({
  part,
  isPrivate,
  isAdding,
  onPart,
  onAdd,
}: {
  part: string;
  isPrivate: boolean;
  isAdding: boolean;
  onPart: (part: string) => void;
  onAdd: () => void;
}) {
  const add = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // the button that led here is gone, and the focus with it
    if (document.activeElement === null || document.activeElement === document.body) add.current?.focus();
  }, []);
  return (
    <>
      <Button ref={add} leftSection={<Plus size={16} />} aria-expanded={isAdding} onClick={onAdd}>
        {t('Add a widget')}
      </Button>
      {parts
        .filter((each) => each.part !== 'rights' || !isPrivate)
        .map(({ part: each, label, icon: Icon }) => (
          <Button
            key={each}
            variant={part === each ? 'light' : 'default'}
            leftSection={<Icon size={14} />}
            aria-expanded={part === each}
            onClick={() => onPart(part === each ? 'widgets' : each)}
          >
            {label}
          </Button>
        ))}
    </>
  );
}
