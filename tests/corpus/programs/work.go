// Writes the profiles of Go's runtime while it works: work KIND FILE.
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

//go:noinline
func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func twice(n int) int { return 2 * n } // is inlined

//go:noinline
func sortNumbers(size int) int {
	numbers := make([]int, size)
	for i := range numbers {
		numbers[i] = twice((i * 7919) % size)
	}
	sort.Ints(numbers)
	return numbers[0]
}

//go:noinline
func joinWords(count int) string {
	var words []string
	for i := 0; i < count; i++ {
		words = append(words, strings.Repeat("word", i%10))
	}
	return strings.Join(words, " ")
}

var kept []string
var lock sync.Mutex

func contend(done *sync.WaitGroup) {
	defer done.Done()
	for i := 0; i < 20; i++ {
		lock.Lock()
		time.Sleep(time.Millisecond)
		lock.Unlock()
	}
}

func work(seconds float64) {
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	for time.Now().Before(end) {
		fibonacci(25)
		sortNumbers(20000)
		kept = append(kept, joinWords(500))
		if len(kept) > 200 {
			kept = nil
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	kind := os.Args[1]
	file, err := os.Create(os.Args[2])
	check(err)
	defer file.Close()
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	switch kind {
	case "cpu":
		check(pprof.StartCPUProfile(file))
		work(1)
		pprof.StopCPUProfile()
	case "cpu-labels":
		check(pprof.StartCPUProfile(file))
		var done sync.WaitGroup
		for _, name := range []string{"first", "second"} {
			done.Add(1)
			go func(name string) {
				defer done.Done()
				labels := pprof.Labels("worker", name)
				pprof.Do(context.Background(), labels, func(_ context.Context) { work(0.5) })
			}(name)
		}
		done.Wait()
		pprof.StopCPUProfile()
	default: // heap, allocs, mutex, block, goroutine, threadcreate
		var done sync.WaitGroup
		for i := 0; i < 3; i++ {
			done.Add(1)
			go contend(&done)
		}
		work(0.2)
		done.Wait()
		runtime.GC()
		check(pprof.Lookup(kind).WriteTo(file, 0))
	}
}
