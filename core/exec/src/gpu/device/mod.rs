//! One opened device: only requested features are enabled, and everything is destroyed at the end.

mod canary;
mod functions;
mod layer;
mod physical;
mod scratch;
mod shared_device;
mod turns;

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ash::vk;
use gpu_allocator::AllocationSizes;
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::canary::Proof;
pub use self::canary::executes;
use self::physical::Physical;
pub use self::physical::offered_capabilities;
use self::scratch::{Marks, Scratch};
pub(crate) use self::shared_device::with_kept_device;
pub use self::shared_device::{close_kept_device, list_devices};
use self::turns::{Turns, uuid_of};
use super::devices::{SOFTWARE, describe};
use super::features::{Features, Needs};
use super::fixed_function::FixedFeatures;
use super::{DeviceInfo, GpuError, loader, waiting};

const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";
/// What the allocator takes from the device at once, in bytes: runs are small.
const MEMORY_BLOCK: u64 = 16 << 20;
/// The most messages that are kept.
const MAX_MESSAGES: usize = 64;

/// Which device, and how it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceOptions {
    /// Part of a name (in any case) or an index of the loader's list; the first device where absent.
    pub device: Option<String>,
    /// Run under the validation layer: an error that it reports fails the run.
    pub validate: bool,
    /// How long the device may work on one submission.
    pub timeout: Duration,
    /// The most instructions that all waves of a run may take in the interpreter; unlimited where absent. A device does not
    /// count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// The memory that a run may take, in bytes: the interpreter counts its registers and buffers before it starts; the
    /// process of a run is ended when it has more, or more than 256 MiB where this is less.
    #[serde(default = "default_memory")]
    pub memory: u64,
}

fn default_memory() -> u64 {
    DeviceOptions::default().memory
}

impl Default for DeviceOptions {
    /// The first device, without validation, ten seconds, 1 GiB.
    fn default() -> Self {
        let timeout = Duration::from_secs(10);
        DeviceOptions { device: None, validate: false, timeout, max_steps: None, memory: 1 << 30 }
    }
}

/// What a run returned, and what the validation layer had to say that was not an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Used<T> {
    /// What was made.
    pub value: T,
    /// The validation layer's warnings; empty without it.
    pub warnings: Vec<String>,
}

/// Opens a device, does work on it, and closes it again.
///
/// # Errors
/// Those of the work; [`GpuError::Validation`] where the validation layer reported an error, teardown included; what
/// is missing on this machine (see [`GpuError::is_missing`]).
pub fn with_device<T>(
    needs: &Needs,
    options: &DeviceOptions,
    work: impl FnOnce(&Device) -> Result<T, GpuError>,
) -> Result<Used<T>, GpuError> {
    let messages = Arc::<Messages>::default();
    let (result, older) = {
        // The layer looks at its own instance alone.
        let listed = shared_device::take_listed().filter(|_| !options.validate);
        let instance = match listed {
            Some(instance) => instance,
            None => Instance::open(options.validate, &messages)?,
        };
        let chosen = instance.layer.and_then(|layer| Some((layer, instance.choose(options.device.as_deref()).ok()?.1)));
        let device = Device::open(&instance, needs, options)?;
        (work(&device), chosen.and_then(|(layer, info)| layer::older(layer, &info)))
    };
    let messages = messages.0.lock().unwrap_or_else(PoisonError::into_inner);
    let of = |error: bool| messages.iter().filter(|m| m.0 == error).map(|m| m.1.clone()).collect::<Vec<_>>();
    match (result, of(true)) {
        // Whatever else went wrong, a wrong call comes first: it is the likely cause.
        (_, errors) if !errors.is_empty() => Err(GpuError::Validation { errors, older }),
        (result, _) => Ok(Used { value: result?, warnings: of(false) }),
    }
}

/// What is known of the device that the options choose, without opening it.
pub fn chosen_device(options: &DeviceOptions) -> Result<DeviceInfo, GpuError> {
    let messages = Arc::<Messages>::default();
    let instance = Instance::open(false, &messages)?;
    instance.choose(options.device.as_deref()).map(|(_, info)| info)
}

/// Which of some devices is meant by an index or by part of a name, in any case: its index. The first where neither is
/// said.
pub fn choose(devices: &[DeviceInfo], wanted: Option<&str>) -> Option<usize> {
    let Some(wanted) = wanted else { return (!devices.is_empty()).then_some(0) };
    // Names have digits too: what is a number is never a part of one.
    if let Ok(index) = wanted.parse::<usize>() {
        return (index < devices.len()).then_some(index);
    }
    let lower = wanted.to_lowercase();
    devices.iter().position(|info| info.name.to_lowercase().contains(&lower))
}

/// The layer's messages: whether each is an error, and its text.
#[derive(Default)]
struct Messages(Mutex<Vec<(bool, String)>>);

struct Instance {
    entry: ash::Entry,
    handle: ash::Instance,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// The version of Vulkan that the validation layer knows, where it is used.
    layer: Option<u32>,
    /// The messenger writes there until the instance is gone.
    messages: ManuallyDrop<Arc<Messages>>,
    /// Set once work did not end in time: what it uses may not be destroyed.
    abandoned: Rc<Cell<bool>>,
}

impl Instance {
    fn open(validate: bool, messages: &Arc<Messages>) -> Result<Instance, GpuError> {
        #[cfg(test)]
        shared_device::tests::OPENED.set(shared_device::tests::OPENED.get() + 1);
        // SAFETY: the loader is the system's own; it stays loaded as long as `entry` lives, which `Instance` sees to.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| GpuError::NoLoader(error.to_string()))?;
        // SAFETY: `entry` is a loaded loader.
        let version = unsafe { entry.try_enumerate_instance_version() }.ok().flatten().unwrap_or(vk::API_VERSION_1_0);
        if version < vk::API_VERSION_1_3 {
            return Err(GpuError::Lacks {
                device: "the Vulkan loader".to_owned(),
                what: "Vulkan 1.3".to_owned(),
                feature: None,
                needed_by: "this program".into(),
            });
        }
        // SAFETY: as above.
        let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
        let layer = layers.iter().find(|layer| validate && layer.layer_name_as_c_str() == Ok(VALIDATION));
        let layer = layer.map(|layer| layer.spec_version);
        if validate && layer.is_none() {
            return Err(GpuError::NoLayer);
        }
        let application =
            vk::ApplicationInfo::default().application_name(c"lanescope").api_version(vk::API_VERSION_1_3);
        let (layers, extensions): (&[_], &[_]) =
            if validate { (&[VALIDATION.as_ptr()], &[ash::ext::debug_utils::NAME.as_ptr()]) } else { (&[], &[]) };
        let mut debug = messenger_info(messages);
        let mut create = vk::InstanceCreateInfo::default()
            .application_info(&application)
            .enabled_layer_names(layers)
            .enabled_extension_names(extensions);
        if validate {
            create = create.push_next(&mut debug);
        }
        // SAFETY: `create` and what it points to live through the call; `messages` outlives the instance.
        let handle = loader::alone(|| unsafe { entry.create_instance(&create, None) })
            .map_err(GpuError::call("vkCreateInstance"))?;
        let mut instance = Instance {
            entry,
            handle,
            messenger: None,
            layer,
            messages: ManuallyDrop::new(Arc::clone(messages)),
            abandoned: Rc::default(),
        };
        if validate {
            let functions = loader::alone(|| ash::ext::debug_utils::Instance::new(&instance.entry, &instance.handle));
            // SAFETY: the extension is enabled; `messages` outlives the messenger, which `drop` destroys.
            let messenger = unsafe { functions.create_debug_utils_messenger(&messenger_info(messages), None) }
                .map_err(GpuError::call("vkCreateDebugUtilsMessengerEXT"))?;
            instance.messenger = Some((functions, messenger));
        }
        Ok(instance)
    }

    /// Every device, in the loader's order.
    fn list(&self) -> Result<Vec<(vk::PhysicalDevice, DeviceInfo)>, GpuError> {
        // SAFETY: the instance is alive.
        let all = loader::alone(|| unsafe { self.handle.enumerate_physical_devices() })
            .map_err(GpuError::call("vkEnumeratePhysicalDevices"))?;
        Ok(all.into_iter().map(|device| (device, describe(&self.handle, device))).collect())
    }

    /// The requested device.
    fn choose(&self, wanted: Option<&str>) -> Result<(vk::PhysicalDevice, DeviceInfo), GpuError> {
        let all = self.list()?;
        let names = || {
            let names: Vec<_> = all.iter().enumerate().map(|(index, (_, d))| format!("{index}: {}", d.name)).collect();
            names.join(", ")
        };
        let infos: Vec<_> = all.iter().map(|(_, info)| info.clone()).collect();
        let found = choose(&infos, wanted).and_then(|index| all.get(index));
        match (found, wanted) {
            (Some(found), _) => Ok(found.clone()),
            (None, Some(wanted)) if !all.is_empty() => {
                Err(GpuError::UnknownDevice { wanted: wanted.to_owned(), known: names() })
            }
            (None, _) => Err(GpuError::NoDevice),
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.abandoned.get() {
            // Its device still works (see `Device::drop`); the messages stay where the layer writes them.
            return;
        }
        if let Some((functions, messenger)) = &self.messenger {
            // SAFETY: the messenger was made from this instance and is used nowhere else.
            unsafe { functions.destroy_debug_utils_messenger(*messenger, None) };
        }
        // SAFETY: every device made from the instance is gone: it was declared later. The messages are dropped once,
        // when nothing writes to them any more.
        unsafe {
            loader::alone(|| self.handle.destroy_instance(None));
            ManuallyDrop::drop(&mut self.messages);
        }
    }
}

fn messenger_info(messages: &Messages) -> vk::DebugUtilsMessengerCreateInfoEXT<'_> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(on_message))
        .user_data(std::ptr::from_ref(messages).cast::<c_void>().cast_mut())
}

/// Keeps a message of the validation layer.
unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer hands over valid data for the time of the call.
    let text = unsafe { data.as_ref() }.filter(|data| !data.p_message.is_null()).map(|data| {
        // SAFETY: the message is a string that ends in 0.
        unsafe { CStr::from_ptr(data.p_message) }.to_string_lossy().into_owned()
    });
    // SAFETY: `messages` is the `Messages` given at creation, which outlives the messenger; it is shared, not changed.
    let messages = unsafe { messages.cast::<Messages>().as_ref() };
    if let (Some(text), Some(messages)) = (text, messages) {
        let mut kept = messages.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_MESSAGES {
            kept.push((severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR), text));
        }
    }
    vk::FALSE
}

/// An opened device with one queue. What is made from it borrows it, so it is destroyed last.
pub struct Device {
    pub(crate) handle: ash::Device,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: vk::PhysicalDeviceLimits,
    /// Bytes of the largest buffer.
    pub(super) max_buffer: u64,
    /// Created when memory is first requested: compiling needs none.
    allocator: ManuallyDrop<OnceCell<RefCell<Allocator>>>,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    extensions: Vec<&'static CStr>,
    queue: vk::Queue,
    family: u32,
    /// Whether shaders may reach buffers by address.
    addresses: bool,
    /// Whether shaders may change 64 bits of a buffer at once.
    pub(crate) long_atomics: bool,
    /// Whether samplers may mirror once.
    pub(super) mirrors_once: bool,
    /// What of a described state can be had.
    pub(super) fixed: FixedFeatures,
    timestamp_bits: u32,
    pub(super) timeout: Duration,
    /// Set once work was given to the queue.
    submitted: Cell<bool>,
    /// Whether it was seen to execute a shader.
    proof: Cell<Proof>,
    abandoned: Rc<Cell<bool>>,
    turns: Turns,
}

impl Device {
    fn open(instance: &Instance, needs: &Needs, options: &DeviceOptions) -> Result<Device, GpuError> {
        let (physical, info) = instance.choose(options.device.as_deref())?;
        let mut of = Physical::ask(&instance.handle, physical, &info)?;
        let chosen = of.offer.choose(needs)?;
        let wanted =
            if needs.draws() { vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE } else { vk::QueueFlags::COMPUTE };
        // SAFETY: the handle comes from this instance.
        let families = unsafe { instance.handle.get_physical_device_queue_family_properties(physical) };
        let (family, properties) = (0u32..)
            .zip(&families)
            .find(|(_, family)| family.queue_flags.contains(wanted))
            .ok_or_else(|| GpuError::Lacks {
                device: info.name.clone(),
                what: "a queue with compute and graphics support".to_owned(),
                feature: None,
                needed_by: "this run".into(),
            })?;
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
        let extensions: Vec<_> = chosen.extensions.iter().map(|name| name.as_ptr()).collect();
        let mut features: Features = chosen.features;
        let (addresses, long_atomics) = (features.has_addresses(), features.has_long_atomics());
        let mirrors_once = features.mirrors_once();
        let fixed = FixedFeatures::of(features.core);
        let turns = match info.kind == SOFTWARE || waiting::is_offline() {
            true => Turns::none(),
            false => Turns::at(&info.name, uuid_of(&instance.handle, physical)),
        };
        // A GPU that is given another context while a long shader runs may be lost, for both.
        let turn = turns.take()?;
        let handle = features
            .chained(&of.offer.extensions, |features| {
                let create = vk::DeviceCreateInfo::default()
                    .queue_create_infos(&queues)
                    .enabled_extension_names(&extensions)
                    .push_next(features);
                // SAFETY: `create` and what it points to live through the call; features and extensions are offered.
                loader::alone(|| unsafe { instance.handle.create_device(physical, &create, None) })
            })
            .map_err(GpuError::call("vkCreateDevice"))?;
        // SAFETY: the family was requested with one queue.
        let queue = unsafe { handle.get_device_queue(family, 0) };
        drop(turn);
        Ok(Device {
            handle,
            info,
            limits: of.limits,
            max_buffer: of.max_buffer,
            allocator: ManuallyDrop::default(),
            instance: instance.handle.clone(),
            physical,
            extensions: chosen.extensions,
            queue,
            family,
            addresses,
            long_atomics,
            mirrors_once,
            fixed,
            timestamp_bits: properties.timestamp_valid_bits,
            timeout: options.timeout,
            submitted: Cell::new(false),
            proof: Cell::new(Proof::None),
            abandoned: Rc::clone(&instance.abandoned),
            turns,
        })
    }

    /// What is known of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Whether shaders may reach buffers by address.
    pub(super) fn has_addresses(&self) -> bool {
        self.addresses
    }

    /// Runs a shader of which the results are known, unless one ran ([`canary`]).
    pub(super) fn prove(&self) -> Result<(), GpuError> {
        canary::prove(self)
    }

    /// The allocator of the device's memory.
    pub(super) fn allocator(&self) -> Result<&RefCell<Allocator>, GpuError> {
        if let Some(allocator) = self.allocator.get() {
            return Ok(allocator);
        }
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: self.instance.clone(),
            device: self.handle.clone(),
            physical_device: self.physical,
            debug_settings: Default::default(),
            buffer_device_address: self.addresses,
            allocation_sizes: AllocationSizes::new(MEMORY_BLOCK, MEMORY_BLOCK),
        });
        let allocator =
            allocator.map_err(|error| GpuError::Memory { what: "the allocator".to_owned(), why: error.to_string() })?;
        Ok(self.allocator.get_or_init(|| RefCell::new(allocator)))
    }

    /// Whether the device is still busy with abandoned work: nothing of it may be destroyed.
    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.get()
    }

    /// Whether an extension is enabled.
    pub(crate) fn has(&self, extension: &CStr) -> bool {
        self.extensions.contains(&extension)
    }

    /// What identifies the drivers whose cached pipelines this one accepts.
    pub(crate) fn cache_uuid(&self) -> u128 {
        // SAFETY: the handle comes from this instance, which outlives the device.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        u128::from_be_bytes(properties.pipeline_cache_uuid)
    }

    /// What a format can be used for, in optimal tiling.
    pub(crate) fn format_features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: the handle comes from this instance, which outlives the device.
        unsafe { self.instance.get_physical_device_format_properties(self.physical, format) }.optimal_tiling_features
    }

    /// What a format can be used for in buffers.
    pub(crate) fn buffer_features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: as above.
        unsafe { self.instance.get_physical_device_format_properties(self.physical, format) }.buffer_features
    }

    /// The sample counts of an image.
    pub(super) fn sample_counts(
        &self,
        format: vk::Format,
        ty: vk::ImageType,
        usage: vk::ImageUsageFlags,
    ) -> vk::SampleCountFlags {
        // SAFETY: as above.
        let properties = unsafe {
            self.instance.get_physical_device_image_format_properties(
                self.physical,
                format,
                ty,
                vk::ImageTiling::OPTIMAL,
                usage,
                vk::ImageCreateFlags::empty(),
            )
        };
        properties.map_or(vk::SampleCountFlags::empty(), |properties| properties.sample_counts)
    }

    /// Records commands, runs them, and waits until they are done. Answers with the time they took.
    ///
    /// `doing` names the work in messages. The time is the device's own where it has timestamps.
    pub(super) fn run(&self, doing: &str, record: impl FnOnce(vk::CommandBuffer)) -> Result<Duration, GpuError> {
        self.run_marked(doing, 0, |commands, _| record(commands)).map(|(time, _)| time)
    }

    /// Runs with a number of marks that `record` may set once each, in order. Also returns the time from
    /// the beginning to each mark that was set: none where the device has no timestamps.
    pub(super) fn run_marked(
        &self,
        doing: &str,
        marks: u32,
        record: impl FnOnce(vk::CommandBuffer, &Marks<'_>),
    ) -> Result<(Duration, Vec<Duration>), GpuError> {
        self.prove()?;
        // Where nothing is executed, queries have no results either: the proof needs none.
        let timed = self.timestamp_bits > 0 && self.proof.get() == Proof::Executes;
        let marks = if timed { marks } else { 0 };
        let scratch = Scratch::new(self, 2 + marks)?;
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the pools and the command buffer are alive, made from this device and used by nothing else.
        unsafe {
            self.handle
                .begin_command_buffer(scratch.commands, &begin)
                .map_err(GpuError::call("vkBeginCommandBuffer"))?;
            if timed {
                self.handle.cmd_reset_query_pool(scratch.commands, scratch.queries, 0, 2 + marks);
                let top = vk::PipelineStageFlags::TOP_OF_PIPE;
                self.handle.cmd_write_timestamp(scratch.commands, top, scratch.queries, 0);
            }
        }
        let set = Marks::new(&scratch, marks);
        record(scratch.commands, &set);
        let marked = set.count();
        let to_host = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        // SAFETY: as above; what `record` recorded is its own to answer for.
        unsafe {
            self.handle.cmd_pipeline_barrier(
                scratch.commands,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &to_host,
                &[],
                &[],
            );
            if timed {
                let bottom = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
                self.handle.cmd_write_timestamp(scratch.commands, bottom, scratch.queries, 1);
            }
            self.handle.end_command_buffer(scratch.commands).map_err(GpuError::call("vkEndCommandBuffer"))?;
        }
        let submit = [vk::SubmitInfo::default().command_buffers(std::slice::from_ref(&scratch.commands))];
        let turn = self.turns.take()?;
        let start = Instant::now();
        self.submitted.set(true);
        // SAFETY: the queue is used from this thread only; the commands are complete, the fence is unsignalled.
        unsafe { self.handle.queue_submit(self.queue, &submit, scratch.fence) }
            .map_err(GpuError::call("vkQueueSubmit"))?;
        let limit = self.proof.get().limit(self.timeout);
        let nanoseconds = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the fence is alive.
        match unsafe { self.handle.wait_for_fences(&[scratch.fence], true, nanoseconds) } {
            Ok(()) => {}
            Err(vk::Result::TIMEOUT) => {
                self.abandoned.set(true);
                let (device, fence) = (self.handle.clone(), scratch.fence);
                turn.outlast(move |at_most| {
                    let nanoseconds = u64::try_from(at_most.as_nanos()).unwrap_or(u64::MAX);
                    // SAFETY: nothing of an abandoned device is destroyed, its fence neither.
                    let _ = unsafe { device.wait_for_fences(&[fence], true, nanoseconds) };
                });
                return Err(GpuError::TimedOut { doing: doing.to_owned(), limit });
            }
            Err(error) => return Err(GpuError::call(doing)(error)),
        }
        let wall = start.elapsed();
        drop(turn);
        if !timed {
            return Ok((wall, Vec::new()));
        }
        let times = self.timestamps(&scratch, 2 + marked)?;
        match times.split_first() {
            Some((all, marks)) => Ok((*all, marks.to_vec())),
            None => Ok((wall, Vec::new())),
        }
    }

    /// The times from the first of so many timestamps to the others; none where the clock went backwards.
    fn timestamps(&self, scratch: &Scratch<'_>, count: u32) -> Result<Vec<Duration>, GpuError> {
        let mut ticks = vec![0u64; count as usize];
        // SAFETY: these queries were written by commands that are done.
        unsafe { self.handle.get_query_pool_results(scratch.queries, 0, &mut ticks, vk::QueryResultFlags::TYPE_64) }
            .map_err(GpuError::call("vkGetQueryPoolResults"))?;
        let mask = if self.timestamp_bits >= 64 { u64::MAX } else { (1 << self.timestamp_bits) - 1 };
        let Some((first, others)) = ticks.split_first() else { return Ok(Vec::new()) };
        let since = |ticks: &u64| (ticks.wrapping_sub(*first) & mask) as f64 * f64::from(self.limits.timestamp_period);
        // A clock that went backwards reads as centuries.
        let times: Vec<f64> = others.iter().map(since).collect();
        Ok(match times.iter().all(|nanoseconds| *nanoseconds < 1e15) {
            true => times.into_iter().map(|nanoseconds| Duration::from_nanos(nanoseconds as u64)).collect(),
            false => Vec::new(),
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if self.abandoned.get() {
            // The device still works on what this process gave it. Destroying that is not allowed, waiting for it may
            // take for ever: it is left to the end of the process, which the caller brings about.
            return;
        }
        // SAFETY: nothing made from the device is left, for it borrows the device; the allocator goes first, since it
        // frees its memory through the device.
        unsafe {
            // A null device has no queue to wait for: Mesa 22.3 crashes.
            if self.submitted.get() {
                let _ = self.handle.device_wait_idle();
            }
            // Closing it takes a turn as opening does; it is closed where none can be had, too.
            let _turn = self.turns.take();
            ManuallyDrop::drop(&mut self.allocator);
            loader::alone(|| self.handle.destroy_device(None));
        }
    }
}
