import './fonts.css';
import '@mantine/core/styles.layer.css';
import './tokens.css';
