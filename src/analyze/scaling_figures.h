// The figures of a scaling study: times of one piece of code on p processes against its time on the
// reference count. With strong scaling the work is the same for every count, with weak scaling it
// grows with the count.
#pragma once

namespace pyrometer {

// What one count is to the reference: how many times as many processes.
struct ScalingStep {
  double ratio = 1;  // count / reference
  bool is_weak = false;
};

// `reference` and `time` are above 0. Weak: the scaled speed-up, of the work done per time.
double speedup_of(double reference, double time, ScalingStep step);

// The speed-up as a part of the ideal one: 1 is perfect.
double efficiency_of(double reference, double time, ScalingStep step);

// The part that does not become faster with more processes, as the measured speed-up implies it: of
// Amdahl's law (Karp and Flatt), or of Gustafson's for weak scaling. It is a part of the time on
// the reference count; for ratios other than 1.
double serial_fraction_of(double reference, double time, ScalingStep step);

// The time that it takes longer than it would with perfect scaling, as a part of the whole run's.
double scaling_loss_of(double reference, double time, double whole, ScalingStep step);

}  // namespace pyrometer
