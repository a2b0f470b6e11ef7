import './fonts.css';
import './mantine-styles.ts';
import './tokens.css';
