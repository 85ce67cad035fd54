use super::*;

fn offer() -> Offer {
    Offer {
        name: "test device".to_owned(),
        extensions: Vec::new(),
        features: Features::default(),
        subgroup: vk::SubgroupFeatureFlags::BASIC,
        float_controls: vk::PhysicalDeviceFloatControlsProperties::default(),
    }
}

fn needs(capability: Capability) -> Needs {
    Needs { capabilities: BTreeSet::from([capability]), ..Needs::default() }
}

#[test]
fn what_a_device_lacks_is_named() {
    for (capability, words) in [
        (Capability::Float64, "does not offer the feature shaderFloat64, which capability Float64 needs"),
        (Capability::GroupNonUniformQuad, "subgroup operations QUAD"),
        (Capability::ComputeDerivativeGroupLinearKHR, "VK_KHR_compute_shader_derivatives or VK_NV_"),
        (Capability::SubgroupVoteKHR, "the extension VK_EXT_shader_subgroup_vote"),
        (Capability::RoundingModeRTE, "float control"),
    ] {
        let error = offer().choose(&needs(capability)).err().expect("nothing is offered");
        assert!(error.is_missing() && error.to_string().contains(words), "{error}");
    }
    let error = offer().choose(&needs(Capability::RayQueryKHR)).err().expect("not run");
    assert!(!error.is_missing() && error.to_string().contains("RayQueryKHR"), "{error}");
}

#[test]
fn only_what_is_needed_is_turned_on() {
    let mut offer = offer();
    offer.features.core.shader_float64 = vk::TRUE;
    offer.features.core.shader_int64 = vk::TRUE;
    offer.features.core.robust_buffer_access = vk::TRUE;
    let mut chosen = offer.choose(&needs(Capability::Float64)).expect("it is there");
    assert_eq!(chosen.features.core.shader_float64, vk::TRUE);
    assert_eq!(chosen.features.core.shader_int64, vk::FALSE);
    assert_eq!(chosen.features.core.robust_buffer_access, vk::TRUE);
    assert!(chosen.extensions.is_empty());
    let seen = chosen.features.chained(&[], |all| all.features.shader_float64);
    assert_eq!(seen, vk::TRUE);
}
