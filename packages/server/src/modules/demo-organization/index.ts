export {
  createDemoOrganizations,
  type DemoOrganizations,
} from './demo-organization.module.ts';
