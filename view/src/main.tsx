import { render } from 'preact';
import { listenToKeys } from './app/keys';
import { Shell } from './app/shell';
import { followLiveProfiles, source } from './app/store';
import { findPageData } from './data/page_source';
import { ServerSource } from './data/server_source';
import { Failure } from './parts/empty';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';

const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the application');

findPageData(document).then(
  (page) => {
    source.value = page ?? new ServerSource(new URL('.', location.href));
    listenToKeys();
    followLiveProfiles();
    render(<Shell />, root);
  },
  (fault: unknown) => render(<Failure message={String(fault)} />, root),
);
