import { useNavigate } from '@tanstack/react-router';
import { GitBranch } from 'lucide-react';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { useEntityForms } from './entity-triggers.ts';

/** The workflows that can be started for an entity, in its menu; nothing where there are none. */
export function WorkflowItems({ blueprint, entity, isLast }: { blueprint: string; entity: string; isLast: boolean }) {
  const forms = useEntityForms(blueprint, entity);
  const navigate = useNavigate();
  if (forms.length === 0) return null;
  return (
    <>
      <Menu.Label>{t('Workflows')}</Menu.Label>
      {forms.map(({ key, title, address }) => (
        <Menu.Item key={key} leftSection={<GitBranch size={14} />} onClick={() => void navigate(address)}>
          {title}
        </Menu.Item>
      ))}
      {!isLast && <Menu.Divider />}
    </>
  );
}
