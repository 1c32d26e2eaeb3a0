// What every screen obeys: the profile, the metric, the scope, the search.
import { MenuButton } from '../parts/menu';
import { Picker, Segmented } from '../parts/segmented';
import { param, setParams } from './address';
import { ScopeChips } from './chips';
import { profileExports } from './profile_exports';
import {
  metric,
  metrics,
  profileEntry,
  profileId,
  profiles,
  search,
  searchError,
  setMetric,
  summary,
} from './store';
import { switchTheme, theme } from './theme';

const MOST_BUTTONS = 4;

function ProfilePicker() {
  const all = profiles.value.value?.profiles ?? [];
  if (all.length < 2) return null;
  return (
    <Picker
      label="Profile"
      isLabelHidden
      value={String(profileId.value)}
      choices={all.map((entry) => ({ value: String(entry.id), label: entry.name }))}
      // Rows of one profile mean nothing in another.
      onChange={(value) =>
        setParams({
          profile: value,
          function: null,
          focus: null,
          at: null,
          thread: null,
          processes: null,
          threads: null,
          from: null,
          to: null,
        })
      }
    />
  );
}

function MetricSwitch() {
  const withValues = metrics.value.filter((each) => each.total !== 0 || each.name === metric.value?.name);
  if (withValues.length < 2 || !metric.value) return null;
  const choices = withValues.map((each) => ({ value: each.name, label: each.label }));
  const props = { label: 'Metric', choices, value: metric.value.name, onChange: setMetric };
  return withValues.length > MOST_BUTTONS ? <Picker isLabelHidden {...props} /> : <Segmented {...props} />;
}

export function TopBar() {
  const fault = searchError.value;
  return (
    <header class="top">
      <ProfilePicker />
      <MetricSwitch />
      <ScopeChips />
      {profileEntry.value?.live && (
        <span class="badge" role="status">
          recording …
        </span>
      )}
      {summary.value.value?.estimated && (
        <span class="badge" title="The file has no call paths; they were estimated from who called whom">
          paths estimated
        </span>
      )}
      <div class="end">
        {summary.value.value?.has.paths && (
          <button
            type="button"
            aria-pressed={param('own').value === '1'}
            title="Fold frames of libraries into the code that called them"
            onClick={() => setParams({ own: param('own').value === '1' ? null : '1' })}
          >
            My code
          </button>
        )}
        <input
          id="search"
          class="search"
          type="search"
          placeholder="Search functions, files …  /"
          aria-label="Search functions and files; words are regular expressions, -word leaves out"
          aria-invalid={fault !== ''}
          title={fault || 'Words are regular expressions; -word leaves out'}
          value={search.value}
          onInput={(event) => setParams({ search: event.currentTarget.value })}
        />
        <MenuButton label="Save as" items={profileExports()} />
        <button type="button" aria-label="Light or dark" title="Light or dark (t)" onClick={switchTheme}>
          {theme.value === 'dark' ? '☀' : '☾'}
        </button>
      </div>
    </header>
  );
}
