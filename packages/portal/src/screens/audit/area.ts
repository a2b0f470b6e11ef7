import { FileText } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    {
      label: t('Audit log'),
      to: '/builder/audit',
      icon: FileText,
      where: 'builder',
      section: 'People',
      order: 60,
      isFor,
    },
  ],
  commands: [
    {
      label: t('Show deletions in the audit log'),
      keywords: 'who deleted removed',
      icon: FileText,
      isFor,
      run: (navigate) => void navigate({ to: '/builder/audit', search: { action: 'DELETE' } }),
    },
  ],
});
