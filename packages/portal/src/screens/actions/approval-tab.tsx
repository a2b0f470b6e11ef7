import { NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown } from 'lucide-react';
import { withKey } from '../../kit/json-value.ts';
import { issueAt } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import form from '../../parts/form.module.css';
import type { Draft } from './action-draft.ts';
import type { EditorProps } from './editor-props.ts';

const chevron = <ChevronDown size={14} aria-hidden="true" />;

/** Whether runs need approval, how approvers are notified, and who may see the runs. */
export function ApprovalTab({ draft, onChange, issues }: EditorProps) {
  const { requiredApproval, approvalNotification } = draft;
  const set = (key: keyof Draft & string, value: unknown) =>
    onChange(withKey(draft as unknown as Record<string, unknown>, key, value) as unknown as Draft);
  const kind = isRecord(requiredApproval) ? requiredApproval.type : requiredApproval ? 'ANY' : 'NONE';
  const notification = isRecord(approvalNotification) ? approvalNotification : undefined;
  const how = String(notification?.['type'] ?? 'email');
  return (
    <Stack gap="md" maw={840}>
      <section className={form.section} aria-label={t('Approval')}>
        <NativeSelect
          label={t('Before it runs')}
          data={[
            { value: 'NONE', label: t('Nobody has to approve') },
            { value: 'ANY', label: t('One of those who may approve must') },
            { value: 'ALL', label: t('All of those who may approve must') },
          ]}
          value={kind}
          error={issueAt(issues, 'requiredApproval')}
          onChange={({ currentTarget: { value } }) =>
            set('requiredApproval', value === 'NONE' ? undefined : value === 'ANY' ? true : { type: value })
          }
          rightSection={chevron}
        />
        {kind === 'NONE' ? (
          <Text size="sm" c="dimmed">
            {t('Runs start as soon as the form is sent. Runs prepared by an agent still wait for a person.')}
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {t('Who may approve is said under “Who may”. They find the run under Approvals.')}
            </Text>
            <NativeSelect
              label={t('How approvers hear of it')}
              data={[
                { value: 'email', label: t('By e-mail') },
                { value: 'webhook', label: t('A webhook is called') },
              ]}
              value={how}
              error={issueAt(issues, 'approvalNotification', 'type')}
              onChange={({ currentTarget: { value } }) =>
                set('approvalNotification', value === 'email' ? { type: 'email' } : { type: 'webhook', url: '' })
              }
              rightSection={chevron}
            />
            {how === 'webhook' && (
              <>
                <TextInput
                  label={t('Address of the webhook')}
                  required
                  withAsterisk={false}
                  value={String(notification?.['url'] ?? '')}
                  error={issueAt(issues, 'approvalNotification', 'url')}
                  onChange={({ currentTarget }) =>
                    set('approvalNotification', { ...notification, url: currentTarget.value })
                  }
                />
                <NativeSelect
                  label={t('Recipient')}
                  data={[
                    { value: 'json', label: t('The request as JSON') },
                    { value: 'slack', label: t('A message as Slack reads it') },
                  ]}
                  value={String(notification?.['format'] ?? 'json')}
                  error={issueAt(issues, 'approvalNotification', 'format')}
                  onChange={({ currentTarget }) =>
                    set('approvalNotification', { ...notification, format: currentTarget.value })
                  }
                  rightSection={chevron}
                />
              </>
            )}
          </>
        )}
      </section>
      <section className={form.section} aria-label={t('Runs')}>
        <Switch
          label={t('Everyone can see its runs')}
          description={t('If off: administrators, approvers and the person who ran it')}
          checked={draft.allowAnyoneToViewRuns !== false}
          error={issueAt(issues, 'allowAnyoneToViewRuns')}
          onChange={({ currentTarget }) => set('allowAnyoneToViewRuns', currentTarget.checked ? undefined : false)}
        />
      </section>
    </Stack>
  );
}
