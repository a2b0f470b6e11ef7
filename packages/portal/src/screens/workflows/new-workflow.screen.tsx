import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { workflowAddress } from '../../parts/workflows/workflow-links.ts';
import { WorkflowBuilder } from './builder/builder.tsx';
import { useWorkflowDraft } from './builder/use-workflow-draft.ts';
import { blank, findTemplate, templates } from './templates/templates.ts';

/** A new workflow, empty or from a template. */
export function Screen() {
  const [template, setTemplate] = useUrlState('/workflows/new', 'template');
  return <NewWorkflow key={template ?? ''} template={template} onTemplate={setTemplate} />;
}

function NewWorkflow({
  template,
  onTemplate,
}: {
  template: string | undefined;
  onTemplate: (template: string | undefined) => void;
}) {
  const create = useChange('createWorkflow', { staleAfter: ['listWorkflows', 'listSelfServiceTriggers'] });
  const definition = useWorkflowDraft(findTemplate(template) ?? blank);
  const { draft: written, isDirty } = definition;
  useLeaveGuard(isDirty && !create.isPending && !create.isSuccess, written.title || t('the workflow'));
  const navigate = useNavigate();
  const toast = useToast();
  const mayCreate = useMay('createWorkflow');
  return (
    <>
      <PageHeader
        title={t('New workflow')}
        trail={[{ to: '/workflows', label: t('Workflows') }]}
        description={t('A trigger, and the steps that follow. Published triggers start runs as soon as you save.')}
      />
      {!isDirty && (
        <Select
          label={t('Begin with')}
          mb="md"
          maw={360}
          clearable
          clearButtonProps={{ 'aria-label': t('Begin with an empty workflow') }}
          placeholder={t('An empty workflow')}
          data={templates.map(({ key, title }) => ({ value: key, label: title }))}
          value={template ?? null}
          onChange={(next) => onTemplate(next ?? undefined)}
        />
      )}
      <ReadOnly permit={mayCreate} to={t('create workflows')}>
        <WorkflowBuilder
          definition={definition}
          isNew
          isBusy={create.isPending || create.isSuccess}
          error={create.error}
          onReset={create.reset}
          onSave={(draft) =>
            create.mutate({ body: draft as never, query: {} } as never, {
              onSuccess: ({ workflow }) => {
                toast(t('{title} was created', { title: workflow.title || workflow.identifier }));
                void navigate(workflowAddress(workflow.identifier));
              },
            })
          }
        />
      </ReadOnly>
    </>
  );
}
