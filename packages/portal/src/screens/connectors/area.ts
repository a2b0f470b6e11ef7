import { Plug } from 'lucide-react';
import { area } from '../../frame/area.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  screens: [
    { path: '/builder/connectors', title: 'Connectors', load: () => import('./connectors.screen.tsx') },
    { path: '/builder/connectors/$server', title: 'Connector', load: () => import('./connector.screen.tsx') },
  ],
  destinations: [{ label: 'Connectors', to: '/builder/connectors', icon: Plug, where: 'builder', order: 73, isFor }],
});
