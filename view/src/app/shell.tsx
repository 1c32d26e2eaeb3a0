// The frame around the screens: navigation, top bar, and what is said while there is nothing to show.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Failure, Loading } from '../parts/empty';
import { linkTo, screenId } from './address';
import { Help } from './help';
import { isHelpShown } from './keys';
import { Palette } from './palette';
import { sentenceOf } from './resource';
import { SCREENS } from './screens';
import { profiles, profileEntry, summary, tables, trouble } from './store';
import { TopBar } from './top_bar';

// A fault in one screen must not take the others with it.
class Guard extends Component<{ screen: string; children: ComponentChildren }, { fault: string }> {
  override state = { fault: '' };
  static override getDerivedStateFromError(fault: unknown) {
    return { fault: sentenceOf(fault) };
  }
  override componentDidUpdate(before: { screen: string }) {
    if (before.screen !== this.props.screen && this.state.fault) this.setState({ fault: '' });
  }
  override render() {
    if (!this.state.fault) return this.props.children;
    return <Failure message={`This screen failed: ${this.state.fault}. The others still work.`} />;
  }
}

function Navigation() {
  const has = summary.value.value?.has;
  const count = profiles.value.value?.profiles.length ?? 1;
  return (
    <nav class="nav" aria-label="Screens">
      {SCREENS.map((screen) => (
        <a
          key={screen.id}
          href={linkTo(screen.id)}
          aria-current={screen.id === screenId.value ? 'page' : undefined}
          class={has && !screen.hasData(has, count) ? 'empty' : ''}
        >
          {screen.title}
          <kbd aria-hidden="true">{screen.key}</kbd>
        </a>
      ))}
      <div class="rest">
        <button
          type="button"
          class="link"
          onClick={() => {
            isHelpShown.value = true;
          }}
        >
          Keys
        </button>
      </div>
    </nav>
  );
}

function Content() {
  const screen = SCREENS.find((each) => each.id === screenId.value) ?? SCREENS[0];
  const isReady = summary.value.value !== null && tables.value.value !== null;
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${screen.title} – ${profileEntry.value?.name ?? 'Pyrometer'}`;
    area.current?.scrollTo(0, 0);
  }, [screen, profileEntry.value]);
  return (
    <main ref={area} id="main" tabIndex={-1} class={screen.fills ? 'fills' : ''}>
      {trouble.value && <Failure message={trouble.value} />}
      {isReady ? (
        <Guard screen={screen.id}>
          <screen.component />
        </Guard>
      ) : (
        !trouble.value && <Loading what="Reading the profile" />
      )}
    </main>
  );
}

export function Shell() {
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={(event) => skipTo(event)}>
        Skip to the content
      </a>
      <div class="brand">
        <span class="mark" aria-hidden="true" />
        Pyrometer
      </div>
      <TopBar />
      <Navigation />
      <Content />
      <Help />
      <Palette />
    </div>
  );
}

// The address bar holds the state, so the link must not change it.
function skipTo(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
