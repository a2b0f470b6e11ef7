import { Alert } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { useMayChangePage } from './may-change.ts';
import type { PageEditing } from './use-page-editing.ts';

const PageEditor = lazy(async () => ({ default: (await import('../page-editor/page-editor.tsx')).PageEditor }));

/** A page as it is read, or its editor in the same place. The editor is loaded when it is first opened. */
export function EditablePage({
  page,
  editing: { part, tools, show, end },
  children,
}: {
  page: AnswerOf<'getPage'>['page'];
  editing: PageEditing;
  children: ReactNode;
}) {
  const mayChange = useMayChangePage(page);
  const navigate = useNavigate();
  const isAsked = part !== undefined;
  return (
    <>
      {isAsked && mayChange?.isAllowed === false && (
        <Alert color="gray" title={t('You cannot change this page')} mb="md">
          {t('Changing this page needs {needs}. Press Edit page to ask for access.', { needs: mayChange.needs })}
        </Alert>
      )}
      <Suspense fallback={children}>
        {isAsked && mayChange?.isAllowed ? (
          <PageEditor
            key={page.identifier}
            page={page}
            tools={tools}
            part={part}
            onPart={show}
            onDone={end}
            onRenamed={(identifier) =>
              void navigate({
                to: '/catalog/$page',
                params: { page: identifier },
                search: { edit: part },
                replace: true,
              })
            }
          />
        ) : (
          children
        )}
      </Suspense>
    </>
  );
}
