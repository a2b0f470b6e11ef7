import { Button } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../access/needs.tsx';
import { type ChangeablePage, useMayChangePage } from './may-change.ts';
import classes from './pages.module.css';
import type { PageEditing } from './use-page-editing.ts';

/** Turns the page into its editor; the tools of the editor take its place. */
export function EditPageButton({
  page,
  name,
  editing: { part, begin, setTools },
}: {
  page: ChangeablePage;
  name: string;
  editing: PageEditing;
}) {
  const mayChange = useMayChangePage(page);
  const isAllowed = mayChange?.isAllowed === true;
  const isEditing = isAllowed && part !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  useCommands(isAllowed && !isEditing ? [{ id: 'edit-page', label: t('Edit this page'), keys: 'e', run: begin }] : []);
  if (isEditing) return <fieldset ref={setTools} aria-label={t('Edit {name}', { name })} className={classes.tools} />;
  return (
    <Needs permit={mayChange} to={t('change the page {name}', { name })}>
      <Button ref={button} variant="default" leftSection={<Pencil size={14} />} onClick={begin}>
        {t('Edit page')}
      </Button>
    </Needs>
  );
}
