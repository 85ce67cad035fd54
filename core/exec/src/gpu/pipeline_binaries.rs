//! `VK_KHR_pipeline_binary`, which the crate `ash` does not have: compiled pipelines as data that an application keeps.
//! Source: Vulkan specification, section *Pipeline Binaries*.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

use super::{Device, GpuError};

/// The extension.
pub(crate) const NAME: &CStr = c"VK_KHR_pipeline_binary";
/// `VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR`.
pub(crate) const CAPTURE_DATA: u64 = 1 << 31;

const CREATE_INFO: i32 = 1_000_483_001;
const INFO: i32 = 1_000_483_002;
const KEY: i32 = 1_000_483_003;
const DATA_INFO: i32 = 1_000_483_006;
const HANDLES_INFO: i32 = 1_000_483_009;

/// `VkPipelineBinaryKHR`.
type Binary = u64;

/// `VkPipelineBinaryInfoKHR`: the binaries that a pipeline is created from.
#[repr(C)]
pub(crate) struct BinaryInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    count: u32,
    binaries: *const Binary,
}

// SAFETY: the structure begins as all of Vulkan's chains do, and extends both create infos by the specification.
unsafe impl vk::ExtendsGraphicsPipelineCreateInfo for BinaryInfo {}
// SAFETY: as above.
unsafe impl vk::ExtendsComputePipelineCreateInfo for BinaryInfo {}

#[repr(C)]
struct CreateInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    keys_and_data: *const KeysAndData,
    pipeline: vk::Pipeline,
    create_info: *const c_void,
}

#[repr(C)]
struct KeysAndData {
    count: u32,
    keys: *const Key,
    data: *const Data,
}

/// `VkPipelineBinaryKeyKHR`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Key {
    s_type: vk::StructureType,
    p_next: *const c_void,
    size: u32,
    key: [u8; 32],
}

#[repr(C)]
struct Data {
    size: usize,
    data: *const c_void,
}

#[repr(C)]
struct HandlesInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    count: u32,
    binaries: *mut Binary,
}

#[repr(C)]
struct DataInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    binary: Binary,
}

type Any = unsafe extern "system" fn();
type Create = unsafe extern "system" fn(vk::Device, *const CreateInfo, *const c_void, *mut HandlesInfo) -> vk::Result;
type Destroy = unsafe extern "system" fn(vk::Device, Binary, *const c_void);
type GetData = unsafe extern "system" fn(vk::Device, *const DataInfo, *mut Key, *mut usize, *mut c_void) -> vk::Result;

/// The functions of the extension.
pub(crate) struct Functions<'d> {
    device: &'d Device,
    create: Create,
    destroy: Destroy,
    get_data: GetData,
}

/// A compiled pipeline as an application keeps it: the key and the bytes of each binary.
pub(crate) struct Kept(Vec<(Key, Vec<u8>)>);

impl Kept {
    /// Bytes of all binaries.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Number of binaries.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// What is done about the binaries of a pipeline that is created.
#[derive(Clone, Copy)]
pub(crate) enum Saved<'b> {
    /// Nothing.
    Not,
    /// They can be kept afterwards.
    Capture,
    /// The pipeline is made of these, and its shaders are ignored.
    Use(&'b Binaries<'b>),
}

impl Saved<'_> {
    /// What is put into the chain of a create info.
    pub fn info(self) -> Option<BinaryInfo> {
        match self {
            Saved::Use(binaries) => Some(binaries.info()),
            Saved::Not | Saved::Capture => None,
        }
    }
}

/// Binaries, destroyed with it.
pub(crate) struct Binaries<'f> {
    functions: &'f Functions<'f>,
    all: Vec<Binary>,
}

impl Binaries<'_> {
    /// What is put into the chain of a create info; alive as long as the binaries.
    pub fn info(&self) -> BinaryInfo {
        BinaryInfo {
            s_type: vk::StructureType::from_raw(INFO),
            p_next: ptr::null(),
            count: u32::try_from(self.all.len()).unwrap_or(u32::MAX),
            binaries: self.all.as_ptr(),
        }
    }
}

impl Drop for Binaries<'_> {
    fn drop(&mut self) {
        for binary in self.all.iter().filter(|binary| **binary != 0) {
            // SAFETY: made from this device, destroyed once; pipelines outlive the binaries that they were made from.
            unsafe { (self.functions.destroy)(self.functions.device.handle.handle(), *binary, ptr::null()) }
        }
    }
}

impl<'d> Functions<'d> {
    /// The functions, where the extension is enabled.
    pub fn of(device: &'d Device) -> Option<Functions<'d>> {
        if !device.has(NAME) {
            return None;
        }
        // SAFETY: the functions have these types by the specification, and the extension is enabled.
        unsafe {
            Some(Functions {
                device,
                create: std::mem::transmute::<Any, Create>(device.function(c"vkCreatePipelineBinariesKHR")?),
                destroy: std::mem::transmute::<Any, Destroy>(device.function(c"vkDestroyPipelineBinaryKHR")?),
                get_data: std::mem::transmute::<Any, GetData>(device.function(c"vkGetPipelineBinaryDataKHR")?),
            })
        }
    }

    /// The binaries of a pipeline that was created with [`CAPTURE_DATA`], as data.
    ///
    /// # Errors
    /// What a call answered.
    pub fn keep(&self, pipeline: vk::Pipeline) -> Result<Kept, GpuError> {
        let binaries = self.create(&CreateInfo {
            s_type: vk::StructureType::from_raw(CREATE_INFO),
            p_next: ptr::null(),
            keys_and_data: ptr::null(),
            pipeline,
            create_info: ptr::null(),
        })?;
        binaries.all.iter().map(|binary| self.data(*binary)).collect::<Result<_, _>>().map(Kept)
    }

    /// Binaries of what was kept.
    ///
    /// # Errors
    /// What a call answered.
    pub fn restore(&self, kept: &Kept) -> Result<Binaries<'_>, GpuError> {
        let keys: Vec<Key> = kept.0.iter().map(|(key, _)| *key).collect();
        let data: Vec<Data> =
            kept.0.iter().map(|(_, bytes)| Data { size: bytes.len(), data: bytes.as_ptr().cast() }).collect();
        let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let all = KeysAndData { count, keys: keys.as_ptr(), data: data.as_ptr() };
        self.create(&CreateInfo {
            s_type: vk::StructureType::from_raw(CREATE_INFO),
            p_next: ptr::null(),
            keys_and_data: &raw const all,
            pipeline: vk::Pipeline::null(),
            create_info: ptr::null(),
        })
    }

    fn create(&self, info: &CreateInfo) -> Result<Binaries<'_>, GpuError> {
        let failed = |result| GpuError::call("vkCreatePipelineBinariesKHR")(result);
        let device = self.device.handle.handle();
        let mut handles = HandlesInfo {
            s_type: vk::StructureType::from_raw(HANDLES_INFO),
            p_next: ptr::null(),
            count: 0,
            binaries: ptr::null_mut(),
        };
        // SAFETY: everything that the structures point to lives through the call; no handles are asked for yet.
        unsafe { (self.create)(device, info, ptr::null(), &raw mut handles) }.result().map_err(failed)?;
        let mut binaries = Binaries { functions: self, all: vec![0; handles.count as usize] };
        handles.binaries = binaries.all.as_mut_ptr();
        // SAFETY: there is room for the number of handles that the device said.
        unsafe { (self.create)(device, info, ptr::null(), &raw mut handles) }.result().map_err(failed)?;
        Ok(binaries)
    }

    fn data(&self, binary: Binary) -> Result<(Key, Vec<u8>), GpuError> {
        let failed = |result| GpuError::call("vkGetPipelineBinaryDataKHR")(result);
        let device = self.device.handle.handle();
        let info = DataInfo { s_type: vk::StructureType::from_raw(DATA_INFO), p_next: ptr::null(), binary };
        let mut key = Key { s_type: vk::StructureType::from_raw(KEY), p_next: ptr::null(), size: 0, key: [0; 32] };
        let mut size = 0;
        // SAFETY: the binary is alive; only key and size are asked for.
        unsafe { (self.get_data)(device, &raw const info, &raw mut key, &raw mut size, ptr::null_mut()) }
            .result()
            .map_err(failed)?;
        let mut bytes = vec![0u8; size];
        // SAFETY: there is room for as many bytes as the device said.
        unsafe { (self.get_data)(device, &raw const info, &raw mut key, &raw mut size, bytes.as_mut_ptr().cast()) }
            .result()
            .map_err(failed)?;
        bytes.truncate(size);
        Ok((key, bytes))
    }
}
